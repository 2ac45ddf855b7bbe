import { showAgent } from "./conversation.ts";

showAgent("opencode");
