import { examine } from "../doctor.ts";
import { warmUp } from "../shared/warm_up.ts";
import { type Step, YES_OR_NO } from "./step.ts";

/** Starts the daemon, makes the index, and runs the checks of `memo doctor`. */
export const check: Step = {
  name: "check",
  title: "Check",
  summary: "Start memo and check that it works",
  answers: YES_OR_NO,
  plan(context) {
    return {
      shows: [
        "Starts memo's daemon, indexes the memories here, and runs the checks of `memo doctor`",
      ],
      choices: [{
        answer: "yes",
        label: "Check",
        isLong: true,
        async apply() {
          const warnings = await warmUp(context);
          const findings = await examine(context, { local: true });
          const wrong = findings.filter(({ status }) => status !== "ok");
          return {
            did: [
              `${findings.length - wrong.length} of ${findings.length} checks are ok`,
              "Not asked: the language model; `memo doctor --deep` asks it a short question",
            ],
            ...wrong.some(({ status }) => status === "fail") && { failed: true as const },
            warnings: [
              ...warnings,
              ...wrong.map(({ name, detail, fix }) => `${name}: ${detail}${fix ? `. ${fix}` : ""}`),
            ],
          };
        },
      }],
      initial: "yes",
    };
  },
};
