import { messageOf } from "../../errors.ts";
import { TELEMETRY_OFF } from "../link/spawn.ts";
import { setVariable } from "./environment.ts";

/**
 * Turns off the telemetry of ONNX Runtime, which is on by default and reads the environment when its library is loaded.
 * Throws where that cannot be done: then the library must not be loaded.
 */
export function turnTelemetryOff(): void {
  for (const [name, value] of Object.entries(TELEMETRY_OFF)) {
    if (process.env[name] === value) continue; // set by the parent process
    try {
      setVariable(name, value);
    } catch (cause) {
      throw new Error(`its telemetry cannot be turned off: ${messageOf(cause)}`, { cause });
    }
  }
}
