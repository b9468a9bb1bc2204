import Type from 'typebox';
import { reading } from '../../../clients/reading.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/source-facts.ts';
import { errorCode } from '../../../lib/errors/error-code.ts';
import { messageOf } from '../../../lib/errors/message-of.ts';
import { fileMark } from '../../../lib/file-mark.ts';
import { readRegularFile } from '../../../lib/read-regular-file.ts';
import { filePath } from '../../option-fields.ts';
import type { HostSource, HostSourceDriver } from '../host-source.ts';
import { readInventory } from './read-inventory.ts';
import { watchFile } from './watch-file.ts';

const options = Type.Object(
  { path: filePath('Inventory file in YAML or JSON, on the server machine.') },
  { additionalProperties: false },
);

const optionsOf = reading('the options of a file', options);

/** Of ten thousand hosts it has one or two. */
const MOST_BYTES = 16 * 1024 * 1024;

type Inventory = ReadonlyMap<Address, SourceFacts>;

/** The inventory as it is now; what was read before is read again only when the file has changed. */
function openFile(path: string): HostSource {
  let kept: { readonly mark: string; readonly inventory: Promise<Inventory> } | undefined;
  let underWay: Promise<Inventory> | undefined;
  const load = async (): Promise<Inventory> => {
    const text = await readRegularFile(path, MOST_BYTES);
    return readInventory(text).catch(error => {
      throw new Error(`${path} ${messageOf(error)}`);
    });
  };
  const look = async (): Promise<Inventory> => {
    const mark = await fileMark(path);
    if (kept?.mark === mark) return kept.inventory;
    const inventory = load();
    kept = { mark, inventory };
    // What is wrong may be mended without a change of the file.
    inventory.catch(() => {
      kept = undefined;
    });
    return inventory;
  };
  // A disk that does not answer holds one of the few threads that everybody needs, not one more with each try.
  const current = (): Promise<Inventory> => {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    readsAll: true,
    async read(hosts) {
      const inventory = await current().catch(error => {
        const code = errorCode(error);
        throw new Error(`path: ${code ? `${path} cannot be read (${code})` : messageOf(error)}`);
      });
      return new Map(
        hosts.flatMap((host): [Address, SourceFacts][] => {
          const facts = inventory.get(host);
          return facts ? [[host, facts]] : [];
        }),
      );
    },
    watch: (changed, signal) => watchFile(path, changed, signal),
  };
}

export const file: HostSourceDriver = {
  type: 'file',
  summary: 'Inventory file in YAML or JSON, read again when it changes',
  options,
  open: record => openFile(optionsOf(record.options).path),
};
