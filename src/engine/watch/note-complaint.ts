import type { Host } from '../../domain/hosts/host.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import type { HostChange } from '../change-host.ts';
import { changeHost } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import { recordLearned } from '../record-learned.ts';
import { afterComplaint, TIMES_TO_ASK } from './after-complaint.ts';
import { callWitnesses } from './call-witnesses.ts';
import type { Complaint } from './complaint.ts';
import type { Judgement, PartitionDetector } from './partition-detector.ts';
import type { Watch } from './watch.ts';

/** Writes what follows from a check that did not find the host well. */
export async function noteComplaint(
  { ports, lease, partition, isAnotherConnected }: Watch,
  claim: Claim,
  host: Host,
  complaint: Complaint,
): Promise<void> {
  noteSample(partition, host, complaint);
  const judgement = await changeHost(ports, lease, claim, async change => {
    if (change.host?.enrolment !== host.enrolment) {
      await giveUpClaim(ports, change, claim, { check: 'next slot' });
      return undefined;
    }
    const { status } = change.host;
    const isJudged = complaint.isSilence && isReady(status);
    const unjudged = complaint.isSilence && partition.isPartitioned ? 'partitioned' : 'lost';
    const judged = isJudged ? await judge(partition, change, claim) : unjudged;
    const { learned, release } = afterComplaint(complaint, {
      status,
      failures: claim.failures,
      judgement: judged,
      isAnotherConnected: isAnotherConnected(),
      nowMs: change.nowMs,
      checkIntervalMs: ports.settings.checkIntervalMs,
      chance: ports.chance(),
    });
    const known = await recordLearned(change, change.host, learned);
    await giveUpClaim(ports, { ...change, host: known }, claim, release);
    return isJudged ? judged : undefined;
  });
  if (judgement) partition.conclude(host.address, judgement);
}

/** What the check says about the server's own network. The silence of a host in maintenance says nothing. */
function noteSample(partition: PartitionDetector, host: Host, { isSilence }: Complaint): void {
  if (!isReady(host.status)) return;
  if (!isSilence) partition.note(host.address, true);
  else if (host.maintenance === null) partition.note(host.address, false);
}

/** Whether a silent host is lost. Where too few others were checked since, some are checked first. */
async function judge(
  partition: PartitionDetector,
  { records, nowMs }: HostChange,
  { host, failures }: Claim,
): Promise<Judgement> {
  if (partition.isPartitioned) return 'partitioned';
  if (failures + 1 < TIMES_TO_ASK) return 'unsure';
  const isLastTime = failures >= TIMES_TO_ASK;
  if (!isLastTime && (await callWitnesses(partition, records, host, nowMs))) return 'unsure';
  return partition.judge(host);
}
