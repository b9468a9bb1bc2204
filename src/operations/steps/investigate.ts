import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Patience } from '../../domain/work/patience.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { afterFailure, again, done, failed } from '../outcomes.ts';
import type { Step } from '../step.ts';
import { ASK_TIMEOUT_MS } from '../time-limits.ts';

/** Learns what the host is. */
export const investigate = (patience: Patience): Step<WorkOf<'bootstrap'>> => ({
  name: 'gather_facts',
  patience,
  async run({ link, os }) {
    const facts = await link.ask(os.facts, { timeoutMs: ASK_TIMEOUT_MS });
    if (facts instanceof TransportFailure) return afterFailure(facts);
    if (facts === undefined) return again('unexpected_output: cannot parse the facts of the host');
    if (facts.osDriver === '') {
      return failed(
        'unsupported_os: no driver supports this operating system; the host cannot be bootstrapped',
        {
          facts,
        },
      );
    }
    return done({ os: facts.os, os_driver: facts.osDriver }, { facts, cause: 'investigated' });
  },
});
