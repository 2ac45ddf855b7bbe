/** What people paste, by kind: a text to repeat. */
const KINDS = {
  log: '2026-11-21T07:00:00 INFO [worker-7] finished "job" 55433 in 7 ms\n',
  prose: "Many words of a long specification that a person wrote about it.\n",
  base64: "TWFueSB3b3JkcyBvZiBhIGxvbmcgc3BlY2lmaWNhdGlvbiB0aGF0IGEgcGVyc29u",
  cjk: "为什么在预发布环境导出发票会失败？",
} as const;

/** A paste of each kind with about so many bytes. */
export function pastesOf(bytes: number): string[] {
  return Object.values(KINDS).map((text) =>
    text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))
  );
}
