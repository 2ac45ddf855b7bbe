import { dirname, sep } from "node:path";

/** Clients that have a folder for each day, or for each session. */
const OWN_FOLDER = /(?:\/\d{4}\/\d\d\/\d\d\/[^/]+|\/[^/]+\/events)\.jsonl$/;

/** The folder with the transcripts of a client's other sessions beside one: of a project's, where it tells them apart. */
export function sessionsFolder(transcript: string): string {
  const path = transcript.replaceAll(sep, "/"), folder = path.replace(OWN_FOLDER, "");
  return folder === path ? dirname(transcript) : folder;
}
