import { capture } from "./capture.ts";
import { check } from "./check.ts";
import { hooks } from "./hooks.ts";
import { importing } from "./import.ts";
import { mcp } from "./mcp.ts";
import { place } from "./place.ts";
import { recall } from "./recall.ts";
import type { Step } from "./step.ts";

/** Every step of `memo init`, in order. */
export const STEPS: readonly Step[] = [place, hooks, mcp, capture, recall, importing, check];
