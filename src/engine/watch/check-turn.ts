// One look at a host: one connection, one command. Most find it as it was, and write only that they looked.

import type { Host } from '../../domain/hosts/host.ts';
import type { HostFacts, Pulse } from '../../domain/hosts/host-facts.ts';
import { isBootstrapped, isReady } from '../../domain/hosts/host-status.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import { ASK_TIMEOUT_MS } from '../../operations/time-limits.ts';
import { changeHost } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import { openLink } from '../open-link.ts';
import { recordLearned } from '../record-learned.ts';
import type { Complaint } from './complaint.ts';
import { complaintOf, resultOf, UNREADABLE } from './complaint.ts';
import { noteComplaint } from './note-complaint.ts';
import type { Watch } from './watch.ts';

/** A host that has lost its power does not accept a TCP connection. Three failed checks have to fit into 15 s. */
const CHECK_TCP_TIMEOUT_MS = 4000;
/** A host can accept a login and run nothing. With the pause between two checks, this is less than the 15 s in which failures count as one row. */
const PULSE_TIMEOUT_MS = 8000;

/** Looks at a host and gives the claim to it up. */
export async function checkTurn(watch: Watch, claim: Claim): Promise<void> {
  const { ports, lease, partition, batch } = watch;
  const host = await ports.store.reads.hosts.get(claim.host);
  if (host === undefined || !isBootstrapped(host.status)) {
    return changeHost(ports, lease, claim, change =>
      giveUpClaim(ports, change, claim, { check: 'next slot' }),
    );
  }
  const begunMs = ports.clock.monotonicMs();
  const answer = await look(watch, claim, host);
  const result = 'problem' in answer ? resultOf(answer) : 'passed';
  ports.meter?.checkEnded(result, (ports.clock.monotonicMs() - begunMs) / 1000);
  if ('problem' in answer) return noteComplaint(watch, claim, host, answer);
  if (isReady(host.status)) partition.note(host.address, true);
  const isAsItWas = isReady(host.status) && claim.failures === 0 && answer.bootId === host.bootId;
  return isAsItWas && !asksForFacts(claim) ? batch.add(claim) : noteAnswer(watch, claim, host, answer);
}

/** Facts take longer. A host that has failed its last check is only asked whether it answers. */
const asksForFacts = ({ isFactsDue, failures }: Claim): boolean => isFactsDue && failures === 0;

async function look(
  { ports, lease }: Watch,
  claim: Claim,
  host: Host,
): Promise<HostFacts | Pulse | Complaint> {
  const link = openLink(ports, lease, host, { tcpTimeoutMs: CHECK_TCP_TIMEOUT_MS });
  const { facts, pulse } = ports.drivers.os;
  try {
    const answer = asksForFacts(claim)
      ? await link.ask<HostFacts | Pulse>(facts, { timeoutMs: ASK_TIMEOUT_MS })
      : await link.ask<HostFacts | Pulse>(pulse, { timeoutMs: PULSE_TIMEOUT_MS });
    return answer instanceof TransportFailure ? complaintOf(answer) : (answer ?? UNREADABLE);
  } finally {
    link.close();
  }
}

/** It is back, has booted, or has told all its facts. */
async function noteAnswer(
  { ports, lease }: Watch,
  claim: Claim,
  host: Host,
  answer: HostFacts | Pulse,
): Promise<void> {
  await changeHost(ports, lease, claim, async change => {
    const { nowMs } = change;
    const isSame = change.host?.enrolment === host.enrolment;
    const learned = { facts: answer, cause: 'answered', check: 'passed' } as const;
    const known = change.host && isSame ? await recordLearned(change, change.host, learned) : change.host;
    // After a boot the next check asks for everything: it may be another version of the system.
    const hasFacts = asksForFacts(claim);
    const factsDueAt = hasFacts ? nowMs + ports.settings.factsEveryMs : nowMs;
    const facts = hasFacts || answer.bootId !== host.bootId ? { factsDueAt } : {};
    await giveUpClaim(ports, { ...change, host: known }, claim, {
      check: 'next slot',
      failures: 0,
      contact: 'answered',
      ...facts,
    });
  });
}
