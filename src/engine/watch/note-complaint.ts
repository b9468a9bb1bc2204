import type { Host } from '../../domain/hosts/host.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import type { HostChange } from '../change-host.ts';
import { changeHost } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import { recordLearned } from '../record-learned.ts';
import type { Judgement } from './after-complaint.ts';
import { afterComplaint, TIMES_TO_ASK } from './after-complaint.ts';
import type { Complaint } from './complaint.ts';
import type { Sight } from './sight.ts';
import type { Watch } from './watch.ts';

/** Writes what follows from a check that did not find the host well. */
export async function noteComplaint(
  { ports, lease, sight }: Watch,
  claim: Claim,
  host: Host,
  complaint: Complaint,
): Promise<void> {
  noteSight(sight, claim, host, complaint);
  const judgement = await changeHost(ports, lease, claim, async change => {
    if (change.host?.enrolment !== host.enrolment) {
      await giveUpClaim(ports, change, claim, { check: 'next slot' });
      return undefined;
    }
    const { status } = change.host;
    const isJudged = complaint.isSilence && isReady(status);
    const unjudged = complaint.isSilence && sight.isBlind ? 'blind' : 'lost';
    const judged = isJudged ? await judge(sight, change, claim) : unjudged;
    const { learned, release } = afterComplaint(complaint, {
      status,
      failures: claim.failures,
      judgement: judged,
      nowMs: change.nowMs,
      checkIntervalMs: ports.settings.checkIntervalMs,
      chance: ports.chance(),
    });
    const known = await recordLearned(change, change.host, learned);
    await giveUpClaim(ports, { ...change, host: known }, claim, release);
    return isJudged ? judged : undefined;
  });
  if (judgement) sight.conclude(host.address, judgement);
}

/** What this says of the server's own eyes. Nothing follows from the silence of a host that people work on. */
function noteSight(sight: Sight, { failures }: Claim, host: Host, { isSilence }: Complaint): void {
  if (!isReady(host.status)) return;
  const isNew = failures === 0 || sight.isBlind;
  if (!isSilence) sight.note(host.address, true);
  else if (isNew && host.maintenance === null) sight.note(host.address, false);
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
