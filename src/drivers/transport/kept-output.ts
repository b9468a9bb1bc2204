import { TransportFailure } from '../../domain/transport-failure.ts';
import { MAX_OUTPUT_BYTES, MAX_RECEIVED_BYTES } from './transport.ts';

/** Of what is said before the command has begun only the end is of use: why a shell refused us. */
const MAX_NOISE_BYTES = 4096;

/** The answer to more than `MAX_RECEIVED_BYTES` of both streams. */
export const TOO_MUCH = new TransportFailure(
  'timed_out',
  `the output exceeded the limit of ${MAX_RECEIVED_BYTES / 1024 ** 2} MiB; the connection was closed`,
);

/** Of one stream: what came after the mark, as far as it is kept; the rest is counted and dropped. */
export class KeptOutput {
  readonly #mark: Buffer;
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  /** What came before the mark, until that is found. */
  #noise: Buffer | undefined = Buffer.alloc(0);
  /** All that came. */
  receivedBytes = 0;

  constructor(mark: string) {
    this.#mark = Buffer.from(`${mark}\n`);
  }

  /** Whether the mark was found: the command has begun. */
  get hasBegun(): boolean {
    return this.#noise === undefined;
  }

  add(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    if (this.#noise === undefined) this.#keep(chunk);
    else this.#look(Buffer.concat([this.#noise, chunk]));
  }

  /** What the command said; as long as it has not begun, what others said. */
  bytes(): Uint8Array {
    return this.#noise ?? Buffer.concat(this.#chunks);
  }

  #look(seen: Buffer): void {
    const at = seen.indexOf(this.#mark);
    if (at < 0) {
      this.#noise = seen.subarray(-MAX_NOISE_BYTES);
      return;
    }
    this.#noise = undefined;
    this.#keep(seen.subarray(at + this.#mark.length));
  }

  #keep(chunk: Buffer): void {
    const room = MAX_OUTPUT_BYTES - this.#keptBytes;
    if (room <= 0 || chunk.length === 0) return;
    const kept = chunk.subarray(0, room);
    this.#chunks.push(kept);
    this.#keptBytes += kept.length;
  }
}
