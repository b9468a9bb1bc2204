import { harmless } from '../../lib/text/harmless.ts';
import type { JsonAnswer } from '../json-server.ts';
import { NOT_SHOWN } from '../json-server.ts';
import { refusalOf } from './gateway.ts';

/** A member answers, and does not do what it was asked; the message is for people. */
export class EtcdRefusal extends Error {
  /** Another member may do it, or this one in a moment: there is no leader, or it was too slow. */
  readonly isPassing: boolean;
  /** The state that was asked for is not kept any more. */
  readonly isCompacted: boolean;

  constructor(member: string, answer: JsonAnswer, isVerified: boolean) {
    const { status } = answer;
    const said = refusalOf(answer);
    super(
      `etcd at ${member} ${MEANINGS.find(([pattern]) => pattern.test(said))?.[1] ?? other(status, said, isVerified)}`,
    );
    this.isPassing = PASSING.has(status) && !said.includes(NO_SPACE);
    this.isCompacted = said.includes('has been compacted');
  }
}

const NO_SPACE = 'database space exceeded';
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/no leader|leader changed|not leader/, 'has no leader: too few members are running'],
  [/timed out|deadline exceeded/, 'did not respond in time: too few members are running, or they are slow'],
  // The second where we show a certificate with a name in it: the member then serves nothing by its gateway.
  [
    /user name is empty|CommonName of client sending a request against gateway/,
    'denied access: authentication is enabled, and the JSON gateway cannot authenticate clients by certificate; disable authentication (etcdctl auth disable) and require client certificates (--client-cert-auth)',
  ],
  [new RegExp(NO_SPACE), 'has no space left: compact it and disarm its alarm'],
];

const other = (status: number, said: string, isVerified: boolean): string => {
  if (status === 404) return 'has no v3 API: etcd 3.4 or later is required';
  if (said && !isVerified) return `rejected the request (${status}): ${NOT_SHOWN}`;
  return `rejected the request (${status})${said && `: ${harmless(said)}`}`;
};
