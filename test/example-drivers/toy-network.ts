// A fictional network, added as described in `docs/contributing/add-a-network.md`. It proves that a new
// driver needs no other changes. A file on the host makes it a member; a service on the host reads the file.

import Type from 'typebox';
import { Secret } from '../../src/domain/secret.ts';
import type { NetworkDriver } from '../../src/drivers/network/network.ts';
import { cidrOption, secretOption } from '../../src/drivers/option-schemas.ts';

const FILE = '/etc/toynet.conf';

/** Stores the key and the network, and starts the service only if one of them changed. */
export const JOIN = `set -eu
umask 077
IFS= read -r key
printf 'network=%s\\nkey=%s\\n' "$1" "$key" >${FILE}.new
if [ -f ${FILE} ] && [ "$(cat ${FILE})" = "$(cat ${FILE}.new)" ]; then
  rm -f ${FILE}.new
  exit 0
fi
mv -f ${FILE}.new ${FILE}
toynetd start`;

export const LEAVE = `[ -e ${FILE} ] || exit 0
toynetd stop
rm -f ${FILE} ${FILE}.new`;

export const CHECK_RUNNING = `[ -e ${FILE} ] && toynetd running`;

export const toy: NetworkDriver = {
  type: 'toynet',
  summary: 'A toy',
  options: Type.Object(
    { network: cidrOption('The network of the hosts.'), key: secretOption('The shared key of the hosts.') },
    { additionalProperties: false },
  ),
  open: ({ options: { network, key } }) => ({
    joinsAs: 'host',
    checkConnection: async () => ({ version: '', problems: [] }),
    ensureConfigured: async () => undefined,
    joinPlan: async () => ({
      requires: { programs: ['toynetd'], installHint: 'install toynetd' },
      commands: [{ argv: ['sh', '-c', JOIN, 'sh', String(network)], input: new Secret(`${String(key)}\n`) }],
      readyQuery: {
        argv: ['sh', '-c', CHECK_RUNNING],
        parse: ({ exitCode }) => (exitCode === 0 ? '' : 'toynetd does not run'),
      },
    }),
    leavePlan: async () => ({ commands: [{ argv: ['sh', '-c', LEAVE] }] }),
    releaseHost: async () => {},
  }),
};
