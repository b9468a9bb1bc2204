import type { SocketConstructorOpts } from 'node:net';
import { Socket } from 'node:net';
import type { Turnstile } from '../../../lib/turnstile.ts';

/**
 * A connection whose data goes through a turnstile. Cryptography is done where data arrives; without it, as many handshakes as have
 * something to read are computed in a row, and requests wait for all of them.
 */
export class PacedSocket extends Socket {
  readonly #turns: Turnstile;

  constructor(turns: Turnstile, options?: SocketConstructorOpts) {
    super(options);
    this.#turns = turns;
  }

  /** Called with what has arrived. `false` stops the reading: while a piece waits, no other is taken from the kernel. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    let [isLate, wantsMore] = [false, false];
    isLate = this.#turns.pass(() => {
      wantsMore = super.push(chunk, encoding);
      if (isLate && wantsMore) this._read(0);
    });
    return wantsMore;
  }
}
