import { readlinkSync } from 'node:fs';
import { hostKeyLine, isHostKey, withoutComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import { Attempt } from '../attempt.ts';
import { hostKeyChanged } from '../host-key-changed.ts';
import type { Limits, Target } from '../transport.ts';
import type { Route } from './failure-of.ts';
import { failureOf } from './failure-of.ts';
import type { Surroundings } from './log-in.ts';
import { KEY_LINK, lookArguments } from './ssh-arguments.ts';
import { Workplace } from './workplace.ts';

const KNOWN_AND_REFUSED =
  'ssh rejects the host key, although it is known: check whether the key is revoked, or its certificate has expired or is for another name';

function keyIn(link: string): string | undefined {
  try {
    const line = hostKeyLine(Buffer.from(readlinkSync(link), 'base64'));
    return isHostKey(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Answers why a host whose key ssh has refused is not logged in to: because of the key that it shows, for a person to compare. */
export async function lookAtKey(
  target: Target,
  limits: Limits,
  { configFile, clock, tempFolder, hasProxy }: Surroundings & Pick<Route, 'hasProxy'>,
): Promise<TransportFailure> {
  const shown = await Attempt.within<string>(clock, limits, attempt => {
    const place = new Workplace(tempFolder);
    attempt.onceOver(() => place.clear());
    const route = { user: target.user, hasProxy };
    const way = { target, configFile, timeoutMs: limits.timeoutMs };
    place.start(
      lookArguments(way, name => place.at(name)),
      { onEnd: end => attempt.settle(keyIn(place.at(KEY_LINK)) ?? failureOf(end, route)) },
    );
  });
  if (shown instanceof TransportFailure) return shown;
  if (!target.hostKeys.map(withoutComment).includes(shown)) return hostKeyChanged(shown);
  return new TransportFailure('host_key_changed', KNOWN_AND_REFUSED, shown);
}
