import { showAgent } from "./conversation.ts";

showAgent("qwen");
