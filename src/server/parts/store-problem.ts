import { StoreUnavailableError } from '../../domain/errors.ts';
import { errorCode } from '../../lib/errors/error-code.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import { dataFolderProblem, storeFileProblem } from './data-folder-problem.ts';

interface Meaning {
  readonly codes: RegExp;
  readonly is: string;
  readonly whatToDo: string;
  readonly isLasting?: true;
}

/** What SQLite's codes mean where files and their owners are as they should be. */
const MEANINGS: readonly Meaning[] = [
  { codes: /^SQLITE_FULL/, is: 'cannot grow', whatToDo: 'free space on its disk' },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    is: 'is locked by another process',
    whatToDo: 'stop that process, or try again',
  },
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    is: 'is corrupt or not a Hostler store',
    whatToDo: 'restore a backup (hostler restore), or move the file away',
    isLasting: true,
  },
  {
    codes: /^SQLITE_(READONLY|PERM|AUTH)/,
    is: 'is read-only',
    whatToDo: 'change its permissions, or change the setting data',
    isLasting: true,
  },
  {
    codes: /^SQLITE_(IOERR|CANTOPEN)/,
    is: 'cannot be read or written',
    whatToDo: 'check whether its disk is full or defective',
  },
];

/** What a failure of the embedded store means to whoever runs the service; any other failure is what it was. */
export function storeProblem(error: unknown, folder: string, file = storeFileIn(folder)): unknown {
  const reason = error instanceof StoreUnavailableError ? error.cause : error;
  // SQLite has no code for it.
  const isUnknownForm = messageOf(reason) === 'unsupported file format';
  const code = isUnknownForm ? 'SQLITE_NOTADB' : errorCode(reason);
  const meaning = MEANINGS.find(({ codes }) => codes.test(code));
  if (meaning === undefined) return error;
  const found = dataFolderProblem(folder) ?? storeFileProblem(folder);
  if (found !== undefined) return new LastingError(found, { cause: error });
  const Told = meaning.isLasting ? LastingError : PlainError;
  const { is, whatToDo } = meaning;
  return new Told(`${file} ${is} (${harmless(messageOf(reason))}); ${whatToDo}`, { cause: error });
}
