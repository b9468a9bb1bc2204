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
  [/no leader|leader changed|not leader/, 'has no leader: too few of its members run'],
  [/timed out|deadline exceeded/, 'does not answer in time: too few of its members run, or they are slow'],
  // The second where we show a certificate with a name in it: the member then serves nothing by its gateway.
  [
    /user name is empty|CommonName of client sending a request against gateway/,
    'does not let us: its accounts are on, and its JSON gateway knows nobody by a certificate; turn them off (etcdctl auth disable), and let only clients with a certificate in (--client-cert-auth)',
  ],
  [new RegExp(NO_SPACE), 'has no space left: compact it, and disarm its alarm'],
];

const other = (status: number, said: string, isVerified: boolean): string => {
  if (status === 404) return 'knows no v3 of its interface: it has to be etcd 3.4 or later';
  if (said && !isVerified) return `refuses (${status}): ${NOT_SHOWN}`;
  return `refuses (${status})${said && `: ${harmless(said)}`}`;
};
