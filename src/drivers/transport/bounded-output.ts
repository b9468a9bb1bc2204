import { TransportFailure } from '../../domain/transport-failure.ts';
import type { ScriptMarkers } from './command-script.ts';
import { MAX_OUTPUT_BYTES, MAX_RECEIVED_BYTES } from './transport.ts';

/** Of what is said before the command has begun only the end is of use: why a shell refused us. */
const MAX_PREAMBLE_BYTES = 4096;

/** The answer to more than `MAX_RECEIVED_BYTES` of both streams. */
export const OUTPUT_LIMIT_EXCEEDED = new TransportFailure(
  'timed_out',
  `the output exceeded the limit of ${MAX_RECEIVED_BYTES / 1024 ** 2} MiB; the connection was closed`,
);

/** Of one stream: what came after the mark, as far as it is kept; the rest is counted and dropped. */
export class BoundedOutput {
  readonly #marker: Buffer;
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  /** What came before the mark, until that is found. */
  #preamble: Buffer | undefined = Buffer.alloc(0);
  /** All that came. */
  receivedBytes = 0;

  constructor(marker: string) {
    this.#marker = Buffer.from(`${marker}\n`);
  }

  /** Whether the mark was found: the command has begun. */
  get hasStarted(): boolean {
    return this.#preamble === undefined;
  }

  add(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.#preamble === undefined) this.#append(chunk);
    else this.#findMarker(Buffer.concat([this.#preamble, chunk]));
  }

  /** What the command said; as long as it has not begun, what others said. */
  bytes(): Uint8Array {
    return this.#preamble ?? Buffer.concat(this.#chunks);
  }

  #findMarker(received: Buffer): void {
    const at = received.indexOf(this.#marker);
    if (at < 0) {
      this.#preamble = received.subarray(-MAX_PREAMBLE_BYTES);
      return;
    }
    this.#preamble = undefined;
    this.#append(received.subarray(at + this.#marker.length));
  }

  #append(chunk: Buffer): void {
    const remainingBytes = MAX_OUTPUT_BYTES - this.#keptBytes;
    if (remainingBytes <= 0 || chunk.length === 0) return;
    const kept = chunk.subarray(0, remainingBytes);
    this.#chunks.push(kept);
    this.#keptBytes += kept.length;
  }
}

/** More than an exit code after the mark is none. */
const MAX_CODE_BYTES = 16;

/** Of one stream: what came between the marks of the script, and the exit code that follows the last one. */
export class DelimitedOutput {
  readonly #output: BoundedOutput;
  readonly #endMarker: Buffer;
  /** What may be the beginning of the last mark, or of the code after it. */
  #pending: Buffer = Buffer.alloc(0);
  #isAfterEnd = false;
  receivedBytes = 0;
  /** `undefined` until the command has ended. */
  exitCode: number | undefined;

  constructor(markers: ScriptMarkers) {
    this.#output = new BoundedOutput(markers.begin);
    this.#endMarker = Buffer.from(`${markers.end} `);
  }

  get hasStarted(): boolean {
    return this.#output.hasStarted;
  }

  add(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.exitCode !== undefined) return;
    const received = Buffer.concat([this.#pending, chunk]);
    if (this.#isAfterEnd) this.#readCode(received);
    else this.#findEndMarker(received);
  }

  /** What the command said; as long as it has not begun, what others said. */
  bytes(): Uint8Array {
    if (this.#isAfterEnd || this.#output.hasStarted) return this.#output.bytes();
    return Buffer.concat([this.#output.bytes(), this.#pending]);
  }

  #findEndMarker(received: Buffer): void {
    const at = received.indexOf(this.#endMarker);
    const safeEnd = at < 0 ? Math.max(0, received.length - this.#endMarker.length + 1) : at;
    this.#output.add(received.subarray(0, safeEnd));
    if (at < 0) {
      this.#pending = received.subarray(safeEnd);
      return;
    }
    this.#isAfterEnd = true;
    this.#readCode(received.subarray(at + this.#endMarker.length));
  }

  #readCode(received: Buffer): void {
    this.#pending = received.subarray(0, MAX_CODE_BYTES);
    const [, code] = /^(\d{1,3})\n/.exec(this.#pending.toString('latin1')) ?? [];
    if (code !== undefined) this.exitCode = Number(code);
  }
}
