import { showAgent } from "./conversation.ts";

showAgent("kilo");
