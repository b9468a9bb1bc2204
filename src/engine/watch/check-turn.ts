// One look at a host: one connection, one command. Most find it as it was, and write only that they looked.

import type { Claim } from '../../domain/agenda.ts';
import type { Host } from '../../domain/host.ts';
import type { HostFacts, Pulse } from '../../domain/host-facts.ts';
import { isReadyToJoin, isWatched } from '../../domain/host-status.ts';
import type { Learned } from '../../domain/learned.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { HostChange } from '../change-host.ts';
import { changeHost } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import type { Lease } from '../lease.ts';
import { openLink } from '../open-link.ts';
import type { EnginePorts } from '../ports.ts';
import { recordLearned } from '../record-learned.ts';
import type { Judgement } from './after-silence.ts';
import { afterSilence, TIMES_TO_ASK } from './after-silence.ts';
import type { CheckBatch } from './check-batch.ts';
import type { Sight } from './sight.ts';

const TIMEOUT_MS = 30_000;
const NONSENSE = new TransportFailure('unreachable', 'it lets us in, but what it answers makes no sense');

export interface Watch {
  readonly ports: EnginePorts;
  readonly lease: Lease;
  readonly batch: CheckBatch;
  readonly sight: Sight;
}

/** Looks at a host and gives the claim to it up. */
export async function checkTurn(watch: Watch, claim: Claim): Promise<void> {
  const host = await watch.ports.store.reads.hosts.get(claim.host);
  if (host === undefined || !isWatched(host.status)) {
    return changeHost(watch.ports, watch.lease, claim, change =>
      giveUpClaim(watch.ports, change, claim, { check: 'next slot' }),
    );
  }
  const answer = await look(watch, claim);
  if (answer instanceof TransportFailure) return noteSilence(watch, claim, host, answer);
  if (isReadyToJoin(host.status)) watch.sight.note(host.address, true);
  const isUnchanged =
    !claim.isFactsDue && answer.bootId === host.bootId && isReadyToJoin(host.status) && claim.failures === 0;
  return isUnchanged ? watch.batch.add(claim) : noteAnswer(watch, claim, host, answer);
}

async function look({ ports, lease }: Watch, claim: Claim): Promise<HostFacts | Pulse | TransportFailure> {
  const link = openLink(ports, lease, claim.host);
  const { os } = ports.drivers;
  try {
    const answer = claim.isFactsDue
      ? await link.ask<HostFacts | Pulse>(os.facts, { timeoutMs: TIMEOUT_MS })
      : await link.ask<HostFacts | Pulse>(os.pulse, { timeoutMs: TIMEOUT_MS });
    return answer ?? NONSENSE;
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
    const learned: Learned = { facts: answer, cause: 'answered', isCheck: true };
    const known = change.host && isSame ? await recordLearned(change, change.host, learned) : change.host;
    // After a boot the next check asks for everything: it may be another version of the system.
    const factsDueAt = claim.isFactsDue ? nowMs + ports.settings.factsEveryMs : nowMs;
    const facts = claim.isFactsDue || answer.bootId !== host.bootId ? { factsDueAt } : {};
    await giveUpClaim(ports, { ...change, host: known }, claim, {
      check: 'next slot',
      failures: 0,
      ...facts,
    });
  });
}

async function noteSilence(
  { ports, lease, sight }: Watch,
  claim: Claim,
  host: Host,
  failure: TransportFailure,
): Promise<void> {
  const isFirst = isReadyToJoin(host.status) && claim.failures === 0;
  // One that does not let us in has answered; and from one that people work on nothing follows.
  const isSilent = failure.isWorthRetrying;
  const isTelling = !isSilent || (host.maintenance === null && (isFirst || sight.isBlind));
  if (isReadyToJoin(host.status) && isTelling) sight.note(host.address, !isSilent);
  const judgement = await changeHost(ports, lease, claim, async change => {
    if (change.host?.enrolment !== host.enrolment) {
      await giveUpClaim(ports, change, claim, { check: 'next slot' });
      return 'unsure';
    }
    const isJudged = isSilent && isReadyToJoin(change.host.status);
    const judged = isJudged ? await judge(sight, change, claim) : 'lost';
    const { learned, release } = afterSilence(failure, {
      status: change.host.status,
      failures: claim.failures,
      judgement: judged,
      nowMs: change.nowMs,
      checkIntervalMs: ports.settings.checkIntervalMs,
      chance: ports.chance(),
    });
    const known = await recordLearned(change, change.host, learned);
    await giveUpClaim(ports, { ...change, host: known }, claim, release);
    return isJudged ? judged : 'unsure';
  });
  if (judgement !== 'unsure') sight.conclude(host.address, judgement);
}

/** Whether a host that is silent is lost. Where too few others were looked at since, some are called as witnesses. */
async function judge(
  sight: Sight,
  { records, nowMs }: HostChange,
  { host, failures }: Claim,
): Promise<Judgement> {
  if (sight.isBlind) return 'blind';
  if (failures + 1 < TIMES_TO_ASK) return 'unsure';
  const wanted = failures < TIMES_TO_ASK ? sight.witnessesWanted(host) : 0;
  if (wanted > 0 && (await records.agenda.callWitnesses(host, wanted, nowMs)) > 0) return 'unsure';
  return sight.judge(host);
}
