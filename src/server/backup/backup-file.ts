// The file that a backup becomes. What must hold: under its name there is either nothing, or what was there before, or a whole backup; and
// it is for its own user only.

import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../lib/errors/error-code.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { newId } from '../../lib/new-id.ts';
import { syncPath } from '../../lib/sync-path.ts';
import type { Config } from '../configuration/settings.ts';
import { keyFileOf } from '../keys/secret-key.ts';

interface BackupFile {
  /** Where it is written to first: beside its place, under a name of its own. */
  readonly partial: string;
  /** Gives it its name, for good. */
  publish(): void;
  /** Takes away what was written so far. */
  discard(): void;
}

interface Wish {
  readonly file: string;
  /** Whether a file that is there may be replaced. */
  readonly isForced: boolean;
}

/** Whether the service itself lives in a file of this name. */
function isOwnFile(place: string, config: Config): boolean {
  const isInData = existsSync(config.data) && path.dirname(place) === realpathSync(config.data);
  const isStore = isInData && /^(hostler|lock)\.sqlite(-|$)/.test(path.basename(place));
  const keyFile = path.resolve(keyFileOf(config));
  return isStore || place === (existsSync(keyFile) ? realpathSync(keyFile) : keyFile);
}

/** The whole path of what is asked for; throws when no backup can be there. */
function placeOf({ file, isForced }: Wish, config: Config): string {
  if (file === '' || file === '-')
    throw new PlainError(
      'specify a file name; a backup cannot be written to standard output because it is verified afterwards',
    );
  const { dir, base } = path.parse(path.resolve(file));
  if (!existsSync(dir)) throw new PlainError(`the directory ${dir} does not exist; create it first`);
  const place = path.join(realpathSync(dir), base);
  if (isOwnFile(place, config))
    throw new PlainError(`${file} is a file of the server itself; choose another name`);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new PlainError(`${file} exists and is not a regular file; choose another name`);
  if (found && !isForced)
    throw new PlainError(`${file} already exists; choose another name, or use --force to replace it`);
  return place;
}

/** Under its name exactly if there is nothing of that name: others may have made one meanwhile. */
function nameExclusively(partial: string, place: string): void {
  try {
    linkSync(partial, place);
    rmSync(partial);
  } catch (error) {
    if (existsSync(place)) throw new PlainError(`${place} was created by another process in the meantime`);
    // Some file systems have no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error;
    renameSync(partial, place);
  }
}

/** Makes an empty file that only its user can read, to be written to. */
export function openBackupFile(wish: Wish, config: Config): BackupFile {
  const place = placeOf(wish, config);
  const partial = `${place}.partial-${newId()}`;
  const discard = () => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
  };
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw new PlainError(`cannot write ${wish.file}: ${messageOf(error)}`);
  }
  const publish = () => {
    syncPath(partial);
    if (wish.isForced) renameSync(partial, place);
    else nameExclusively(partial, place);
    syncPath(path.dirname(place));
  };
  return { partial, publish, discard };
}
