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
  if (key === undefined) return ok('there is none yet; the first start begins it');
  const found = await verifyTail(store, key, NEWEST);
  if (typeof found === 'number')
    return ok(`the chain holds, as far as it was looked at: ${found} of its newest entries`);
  return problem(`${breakInWords(found)}; see docs/admin/audit-log.md`);
}

export const logCheck: Check = {
  name: 'log',
  settings: ['store', 'data', 'secret_key', 'secret_key_file'],
  find: async premises => {
    try {
      return [await findTail(premises)];
    } catch (error) {
      // Of a key that is not there, or is another, the check of the key has told.
      if (error instanceof PlainError) return [warning(`it was not checked: ${error.message}`)];
      throw error;
    }
  },
};
