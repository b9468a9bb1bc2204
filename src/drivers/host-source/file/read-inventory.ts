import type { Address } from '../../../domain/addresses/address.ts';
import { parseAddress } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { factsOfRecord } from '../told-facts.ts';
import { parseYaml } from './parse-yaml.ts';

/** Rather cut off than meant. */
const EMPTY = 'is empty: an inventory without hosts is {} or []';
const NEITHER =
  'is not an inventory: it must be a mapping of addresses to records, or a list of records with an address';

/** JSON is YAML too, but is parsed in a thousandth of the time. */
async function parsed(text: string): Promise<unknown> {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // It may be YAML that begins so; if it is neither, that parser knows the place.
    }
  }
  return parseYaml(text);
}

function entriesOf(content: unknown): (readonly [unknown, unknown])[] {
  if (content === null || content === undefined) throw new Error(EMPTY);
  if (Array.isArray(content)) {
    if (!content.every(isRecord)) throw new Error(NEITHER);
    return content.map(record => [record['address'], record]);
  }
  if (!isRecord(content)) throw new Error(NEITHER);
  return Object.entries(content);
}

/** What an inventory tells of each host; what has no address for a name is nobody's. Throws what is wrong, without a word of it. */
export async function readInventory(text: string): Promise<ReadonlyMap<Address, SourceFacts>> {
  const inventory = new Map<Address, SourceFacts>();
  for (const [name, record] of entriesOf(await parsed(text))) {
    const address = typeof name === 'string' ? parseAddress(name) : undefined;
    if (address === undefined) continue;
    if (inventory.has(address)) throw new Error(`contains two records for ${address}`);
    inventory.set(address, factsOfRecord(record));
  }
  return inventory;
}
