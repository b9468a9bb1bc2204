// The guard on a host against a second reboot. A server that was frozen wakes up late and sends what it was about to send: no lock in
// a database stops that, so the fence is on the host. What must hold: under one mark a host is rebooted at most once, whatever is
// sent, how often, by how many, how late; whoever has taken the mark first is the only one to have it; what cannot be read or written
// reboots nothing. All that is known is in a folder under /run, the marker:
//
//     owner      `started` where a reboot was sent, `blocked` where none may come; linked there whole, by the first
//     out        the end of what the command said
//     code       why there is no reboot: how the command ended, or which guard refused it; written last, by renaming
//
// A boot empties /run, and the boot id is in the name besides: no marker counts for another boot.
//
// While /run cannot be written, a reboot is called off by a spare marker, a folder in /dev: a command that comes late must find it even
// if /run has become writable again. The sender creates its marker and checks the spare marker before it reboots; takeMark creates
// the spare marker and then checks the marker. So at least one of the two sees the other.

import { JOBS_FOLDER } from '../jobs/job.ts';

/** What one reboot is known by. A retry is another attempt. */
export interface RebootMark {
  readonly operation: string;
  readonly attempt: number;
  /** Of the boot that the reboot is to end. */
  readonly bootId: string;
}

/** Also good for a unit of systemd. A job has no underscore in its name, so none is taken for a marker. */
const NAME = /^reboot_[A-Za-z0-9_-]{1,64}_\d{1,10}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function markNameOf({ operation, attempt, bootId }: RebootMark): string {
  const name = `reboot_${operation}_${attempt}_${bootId}`;
  if (!NAME.test(name)) throw new Error(`invalid reboot marker name ${JSON.stringify(name)}`);
  return name;
}

/** A command that comes later than this after it was sent does nothing, by the host's own uptime. */
export const REBOOT_DEADLINE_S = 60;

/**
 * The path of the spare marker, without the name of the mark. /dev is a file system of its own, in memory, and only root can create
 * files there: in /dev/shm any user could prevent a reboot.
 */
export const SPARE_MARKER = '/dev/hostler.';

/** The folder on the host. */
export const markerOf = (mark: RebootMark): string => `${JOBS_FOLDER}/${markNameOf(mark)}`;

/** What every answer of the host begins with: noise of a profile is not taken for one. */
export const ANSWER_BEGIN = 'hostler-reboot';
