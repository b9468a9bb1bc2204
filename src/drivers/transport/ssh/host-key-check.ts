import { hostKeyLine, isHostKey, withoutComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { hostKeyChanged } from '../host-key-changed.ts';

const NO_SUCH_TYPE = 'Handshake failed: no matching host key format';

/** Takes a host's key for right or not, and remembers it. */
export class HostKeyCheck {
  readonly #known: ReadonlySet<string>;
  #isWrong = false;
  /** What the host has shown; empty before. */
  shown = '';
  /** Whether the host has no key of the types of those that are known. */
  isTypeMissing = false;

  /** Without keys, whatever the host shows is right. */
  constructor(hostKeys: readonly string[]) {
    this.#known = new Set(hostKeys.map(withoutComment));
  }

  isRight(blob: Buffer): boolean {
    const line = hostKeyLine(blob);
    // On one connection keys are exchanged anew now and then: what was trusted at first stays the only one.
    const isTrusted = this.shown === '' || this.shown === line;
    this.#isWrong = !isHostKey(line) || !(this.#known.size > 0 ? this.#known.has(line) : isTrusted);
    this.shown = line;
    return !this.#isWrong;
  }

  /** What an error of the ssh library means, when it is about the key. */
  failure(error: Error): TransportFailure | undefined {
    if (this.#isWrong) return this.#changed();
    if (this.#known.size === 0 || error.message !== NO_SUCH_TYPE) return undefined;
    this.isTypeMissing = true;
    return new TransportFailure('host_key_changed', 'the host has no key of the same type as its known keys');
  }

  #changed(): TransportFailure {
    if (!isHostKey(this.shown))
      return new TransportFailure(
        'unreachable',
        `the host presented a key of an unknown type: ${harmless(this.shown, 40)}`,
      );
    return hostKeyChanged(this.shown);
  }
}
