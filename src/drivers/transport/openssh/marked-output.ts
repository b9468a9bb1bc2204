import { KeptOutput } from '../kept-output.ts';
import type { ScriptMarks } from '../login-script.ts';

/** More than an exit code after the mark is none. */
const MAX_CODE_BYTES = 16;

/** Of one stream: what came between the marks of the script, and the exit code that follows the last one. */
export class MarkedOutput {
  readonly #kept: KeptOutput;
  readonly #end: Buffer;
  /** What may be the beginning of the last mark, or of the code after it. */
  #pending: Buffer = Buffer.alloc(0);
  #isAfterEnd = false;
  receivedBytes = 0;
  /** `undefined` until the command has ended. */
  exitCode: number | undefined;

  constructor(marks: ScriptMarks) {
    this.#kept = new KeptOutput(marks.begin);
    this.#end = Buffer.from(`${marks.end} `);
  }

  get hasBegun(): boolean {
    return this.#kept.hasBegun;
  }

  add(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.exitCode !== undefined) return;
    const seen = Buffer.concat([this.#pending, chunk]);
    if (this.#isAfterEnd) this.#readCode(seen);
    else this.#look(seen);
  }

  /** What the command said; as long as it has not begun, what others said. */
  bytes(): Uint8Array {
    if (this.#isAfterEnd || this.#kept.hasBegun) return this.#kept.bytes();
    return Buffer.concat([this.#kept.bytes(), this.#pending]);
  }

  #look(seen: Buffer): void {
    const at = seen.indexOf(this.#end);
    const sureEnd = at < 0 ? Math.max(0, seen.length - this.#end.length + 1) : at;
    this.#kept.add(seen.subarray(0, sureEnd));
    if (at < 0) {
      this.#pending = seen.subarray(sureEnd);
      return;
    }
    this.#isAfterEnd = true;
    this.#readCode(seen.subarray(at + this.#end.length));
  }

  #readCode(seen: Buffer): void {
    this.#pending = seen.subarray(0, MAX_CODE_BYTES);
    const [, code] = /^(\d{1,3})\n/.exec(this.#pending.toString('latin1')) ?? [];
    if (code !== undefined) this.exitCode = Number(code);
  }
}
