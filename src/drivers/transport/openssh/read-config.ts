import { TransportFailure } from '../../../domain/transport-failure.ts';
import { harmless } from '../../../lib/text/harmless.ts';
import { failureOf } from './failure-of.ts';
import type { Workplace } from './workplace.ts';

const KEY_FILE = /^identityfile (?!none$)(.+)$/im;
const PROXY = /^proxy(?:jump|command) (?!none$)/im;

export interface Config {
  /** Whether the host is reached through a jump host or a proxy command. */
  readonly hasProxy: boolean;
}

function configIn(settings: string): Config | TransportFailure {
  const file = KEY_FILE.exec(settings)?.[1];
  if (file === undefined) return { hasProxy: PROXY.test(settings) };
  const detail = `openssh_config sets a key for this host (IdentityFile ${harmless(file)}): only jump hosts can have one`;
  return new TransportFailure('unreachable', detail);
}

/**
 * What the ssh_config of an administrator comes to for one host. Files of keys add up, so the command line cannot take back those that
 * it names for the host itself, and they would be offered to it: that is refused.
 */
export function readConfig(
  place: Workplace,
  masterArguments: readonly string[],
  user: string,
): Promise<Config | TransportFailure> {
  let settings = '';
  return new Promise(resolve => {
    place.start(['-G', ...masterArguments], {
      onStdout: chunk => {
        settings += chunk;
      },
      onEnd: end =>
        resolve(end.exitCode === 0 ? configIn(settings) : failureOf(end, { user, hasProxy: false })),
    });
  });
}
