import { showAgent } from "./conversation.ts";

showAgent("gemini");
