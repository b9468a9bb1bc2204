import { verifyTail } from '../../events/verify-log.ts';
import { breakInWords } from '../../events/walk-chain.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { openLogKeyOf } from '../keys/open-log-key-of.ts';
import type { Check, Finding, Premises } from './check.ts';
import { ok, problem, warning } from './check.ts';

const NEWEST = 1000;

async function findTail({ config, store: open }: Premises): Promise<Finding> {
  const store = await open();
  const key = await openLogKeyOf(config, store);
  if (key === undefined) return ok('no audit log yet; the first start creates it');
  const found = await verifyTail(store, key, NEWEST);
  if (typeof found === 'number')
    return ok(`the hash chain of the newest ${found === 1 ? 'entry' : `${found} entries`} is valid`);
  return problem(`${breakInWords(found)}; see docs/admin/audit-log.md`);
}

export const logCheck: Check = {
  name: 'audit log',
  settings: ['store', 'data', 'secret_key', 'secret_key_file'],
  find: async premises => {
    try {
      return [await findTail(premises)];
    } catch (error) {
      // Of a key that is not there, or is another, the check of the key has told.
      if (error instanceof PlainError) return [warning(`skipped: ${error.message}`)];
      throw error;
    }
  },
};
