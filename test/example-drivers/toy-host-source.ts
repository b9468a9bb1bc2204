// A fictional host source, added as described in `docs/contributing/add-a-host-source.md`. It proves that a
// new driver needs no other changes.

import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import type { Address } from '../../src/domain/addresses/address.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import type { SourceFacts } from '../../src/domain/hosts/host-facts.ts';
import type { HostSourceDriver } from '../../src/drivers/host-source/host-source.ts';
import { parseFacts } from '../../src/drivers/host-source/parse-facts.ts';
import { filePathOption } from '../../src/drivers/option-schemas.ts';
import { schemaParser } from '../../src/integrations/http/schema-parser.ts';
import { errorCode } from '../../src/lib/errors.ts';

const options = Type.Object(
  {
    path: filePathOption('Lines of address, os, cpus, memory, space and hostname, with commas between them.'),
  },
  { additionalProperties: false },
);

const optionsOf = schemaParser('the options of a toy', options);

const number = (text = '') => (/^\d+$/.test(text) ? Number(text) : undefined);

function entryOf(line: string): [Address, SourceFacts][] {
  const [name = '', os, cpus, memory, space, hostname] = line.split(',');
  const facts = parseFacts({
    ...{ os, hostname },
    ...{ cpus: number(cpus), memory: number(memory), space: number(space) },
  });
  const address = parseAddress(name);
  return address ? [[address, facts]] : [];
}

export const toy: HostSourceDriver = {
  type: 'toy',
  summary: 'Lines of a file, with commas',
  options,
  open(record) {
    const { path } = optionsOf(record.options);
    return {
      isBulk: true,
      async read(hosts) {
        const text = await readFile(path, 'utf8').catch(error => {
          throw new Error(`path: ${path} cannot be read (${errorCode(error)})`);
        });
        const entries = text.split('\n').flatMap(entryOf);
        return new Map(entries.filter(([address]) => hosts.includes(address)));
      },
    };
  },
};
