import * as z from "zod";
import { waitingFor } from "../review/waiting.ts";
import { defineCall } from "./call.ts";

/** `review {}`: what waits for a person's word; while `left` is more than 0 or it `isLooking`, there is more to come. */
export const review = defineCall({
  name: "review",
  writes: false,
  params: z.strictObject({}),
  run: (_params, context) => waitingFor(context),
});
