import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import Type from 'typebox';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { schemaParser } from '../../../integrations/http/schema-parser.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { fileFingerprint, readRegularFile } from '../../../lib/files.ts';
import { filePathOption } from '../../option-schemas.ts';
import type { HostSource, HostSourceDriver } from '../host-source.ts';
import { readInventory } from './inventory.ts';

/** A file that is exchanged through a symbolic link, or on a network's disk, tells nobody: so it is looked at as well. */
const POLL_INTERVAL_MS = 2000;

/** Calls back when it has begun, and whenever the file has changed, has gone or has come back, until the signal ends it. */
export async function watchFile(path: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  const readFingerprint = () => fileFingerprint(path).catch(() => 'gone');
  let last = '';
  let [isChecking, isCheckRequested] = [false, false];
  // One look at a time: on a disk that does not answer each would hold a thread.
  const checkForChange = async () => {
    isCheckRequested = true;
    if (isChecking) return;
    isChecking = true;
    while (isCheckRequested && !signal.aborted) {
      isCheckRequested = false;
      const fingerprint = await readFingerprint();
      if (fingerprint === last || signal.aborted) continue;
      last = fingerprint;
      onChange();
    }
    isChecking = false;
  };
  // The folder, since most programs write another file and give it the name.
  const folder = watchFolder(dirname(path), () => void checkForChange());
  try {
    await checkForChange();
    for await (const _ of setInterval(POLL_INTERVAL_MS, undefined, { ref: false, signal }))
      await checkForChange();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    folder?.close();
  }
}

function watchFolder(folder: string, onEvent: () => void) {
  try {
    // Too many may be watched already, or the folder goes away: looking is enough.
    return watch(folder, { persistent: false }, onEvent).on('error', () => {});
  } catch {
    return undefined;
  }
}

const optionsSchema = Type.Object(
  { path: filePathOption('Inventory file in YAML or JSON, on the server machine.') },
  { additionalProperties: false },
);

const parseOptions = schemaParser('the options of a file', optionsSchema);

/** Of ten thousand hosts it has one or two. */
const MAX_BYTES = 16 * 1024 * 1024;

type Inventory = ReadonlyMap<Address, SourceFacts>;

/** The inventory as it is now; what was read before is read again only when the file has changed. */
function openFile(path: string): HostSource {
  let cached: { readonly fingerprint: string; readonly inventory: Promise<Inventory> } | undefined;
  let pending: Promise<Inventory> | undefined;
  const load = async (): Promise<Inventory> => {
    const text = await readRegularFile(path, MAX_BYTES);
    return readInventory(text).catch(error => {
      throw new Error(`${path} ${errorMessage(error)}`);
    });
  };
  const refresh = async (): Promise<Inventory> => {
    const fingerprint = await fileFingerprint(path);
    if (cached?.fingerprint === fingerprint) return cached.inventory;
    const inventory = load();
    cached = { fingerprint, inventory };
    // What is wrong may be mended without a change of the file.
    inventory.catch(() => {
      cached = undefined;
    });
    return inventory;
  };
  // A disk that does not answer holds one of the few threads that everybody needs, not one more with each try.
  const loadCurrent = (): Promise<Inventory> => {
    pending ??= refresh().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    isBulk: true,
    async read(hosts) {
      const inventory = await loadCurrent().catch(error => {
        const code = errorCode(error);
        throw new Error(`path: ${code ? `${path} cannot be read (${code})` : errorMessage(error)}`);
      });
      return new Map(
        hosts.flatMap((host): [Address, SourceFacts][] => {
          const facts = inventory.get(host);
          return facts ? [[host, facts]] : [];
        }),
      );
    },
    watch: (onChange, signal) => watchFile(path, onChange, signal),
  };
}

export const file: HostSourceDriver = {
  type: 'file',
  summary: 'Inventory file in YAML or JSON, read again when it changes',
  options: optionsSchema,
  open: context => openFile(parseOptions(context.options).path),
};
