import { TransportFailure } from '../../domain/transport-failure.ts';
import type { ScriptMarkers } from './command-script.ts';
import { MAX_OUTPUT_BYTES, MAX_RECEIVED_BYTES } from './transport.ts';

/** Only the end of the output before the command is useful: it shows why a shell refused the login. */
const MAX_PREAMBLE_BYTES = 4096;

export const OUTPUT_LIMIT_EXCEEDED = new TransportFailure(
  'timed_out',
  `the output exceeded the limit of ${MAX_RECEIVED_BYTES / 1024 ** 2} MiB; the connection was closed`,
);

/** Output of one stream after the marker, up to `MAX_OUTPUT_BYTES`. The rest is only counted. */
export class BoundedOutput {
  readonly #marker: Buffer;
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  #preamble: Buffer | undefined = Buffer.alloc(0);
  receivedBytes = 0;

  constructor(marker: string) {
    this.#marker = Buffer.from(`${marker}\n`);
  }

  get hasStarted(): boolean {
    return this.#preamble === undefined;
  }

  add(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.#preamble === undefined) this.#append(chunk);
    else this.#findMarker(Buffer.concat([this.#preamble, chunk]));
  }

  /** Output of the command, or the output before the marker if the command has not started. */
  bytes(): Uint8Array {
    return this.#preamble ?? Buffer.concat(this.#chunks);
  }

  #findMarker(received: Buffer): void {
    const index = received.indexOf(this.#marker);
    if (index < 0) {
      this.#preamble = received.subarray(-MAX_PREAMBLE_BYTES);
      return;
    }
    this.#preamble = undefined;
    this.#append(received.subarray(index + this.#marker.length));
  }

  #append(chunk: Buffer): void {
    const remainingBytes = MAX_OUTPUT_BYTES - this.#keptBytes;
    if (remainingBytes <= 0 || chunk.length === 0) return;
    const kept = chunk.subarray(0, remainingBytes);
    this.#chunks.push(kept);
    this.#keptBytes += kept.length;
  }
}

/** Longer text after the marker is not an exit code. */
const MAX_CODE_BYTES = 16;

/** Output of one stream between the two markers of the script, and the exit code after the second. */
export class DelimitedOutput {
  readonly #output: BoundedOutput;
  readonly #endMarker: Buffer;
  /** Bytes that may be the start of the end marker, or of the exit code. */
  #pending: Buffer = Buffer.alloc(0);
  #isAfterEnd = false;
  receivedBytes = 0;
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

  bytes(): Uint8Array {
    if (this.#isAfterEnd || this.#output.hasStarted) return this.#output.bytes();
    return Buffer.concat([this.#output.bytes(), this.#pending]);
  }

  #findEndMarker(received: Buffer): void {
    const index = received.indexOf(this.#endMarker);
    const safeEnd = index < 0 ? Math.max(0, received.length - this.#endMarker.length + 1) : index;
    this.#output.add(received.subarray(0, safeEnd));
    if (index < 0) {
      this.#pending = received.subarray(safeEnd);
      return;
    }
    this.#isAfterEnd = true;
    this.#readCode(received.subarray(index + this.#endMarker.length));
  }

  #readCode(received: Buffer): void {
    this.#pending = received.subarray(0, MAX_CODE_BYTES);
    const [, code] = /^(\d{1,3})\n/.exec(this.#pending.toString('latin1')) ?? [];
    if (code !== undefined) this.exitCode = Number(code);
  }
}
