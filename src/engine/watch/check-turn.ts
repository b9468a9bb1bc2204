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
  return isAsItWas && !claim.isFactsDue ? batch.add(claim) : noteAnswer(watch, claim, host, answer);
}

async function look(
  { ports, lease }: Watch,
  claim: Claim,
  host: Host,
): Promise<HostFacts | Pulse | Complaint> {
  const link = openLink(ports, lease, host, { tcpTimeoutMs: CHECK_TCP_TIMEOUT_MS });
  const { facts, pulse } = ports.drivers.os;
  try {
    const question = claim.isFactsDue ? facts : pulse;
    const answer = await link.ask<HostFacts | Pulse>(question, { timeoutMs: ASK_TIMEOUT_MS });
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
    const factsDueAt = claim.isFactsDue ? nowMs + ports.settings.factsEveryMs : nowMs;
    const facts = claim.isFactsDue || answer.bootId !== host.bootId ? { factsDueAt } : {};
    await giveUpClaim(ports, { ...change, host: known }, claim, {
      check: 'next slot',
      failures: 0,
      contact: 'answered',
      ...facts,
    });
  });
}
