import { expect, test } from 'vitest';
import { networkRecord } from '../../../../test/harness/network-record.ts';
import { inFlannelRoot, onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import { optionsConform } from '../../options-conformance.ts';
import { networkConforms } from '../conformance.ts';
import { flannelServer } from './flannel-server.ts';

optionsConform(flannelServer, {
  good: [
    ['an address and port', { address: '10.0.0.1:8888' }],
    ['a name and port', { address: 'flannel.example.com:8888' }],
    ['IPv6', { address: '[fd00::1]:8888' }],
  ],
  bad: [
    ['no address', {}, ['/address']],
    ['an empty address', { address: '' }, ['/address']],
    ['a URL', { address: 'http://10.0.0.1:8888' }, ['/address']],
    ['a port that is no number', { address: '10.0.0.1:flannel' }, ['/address']],
    ['an address that is no text', { address: 8888 }, ['/address']],
    ['an option that is not known', { address: '10.0.0.1:8888', port: 1 }, ['/port']],
  ],
});

const open = () => flannelServer.open(networkRecord({ address: '127.0.0.9:8888' }));
const HOST = { address: '127.0.0.1' as Address, hostname: 'host' };
const KNOWING = '  -remote="": run as client';

describeInTinyRoot('flannel_server on a host', () => {
  networkConforms('flannel_server', { open, onHost: onFlannelHost({ help: KNOWING }) });

  test.each([
    ['an old way', '  -remote="": run as client', true],
    ['a new way', '  -remote string\n    \trun as client', true],
    ['no more', '  -etcd-prefix string', false],
    ['only something like it', '  -remote-cafile string', false],
  ])(
    'is entered only if its flanneld knows the server: it tells of it in %s',
    async (_what, help, isKnown) => {
      const [command] = (await open().joinPlan(HOST))?.commands ?? [];
      inFlannelRoot({ help }, root => {
        const before = root.tree();
        const { exitCode, stderr } = root.run(command?.argv ?? ['false']);
        if (isKnown) expect(root.tree()['/pretend/variables']).toContain('FLANNELD_REMOTE=127.0.0.9:8888\n');
        else {
          expect([exitCode, lastLine(stderr)]).toEqual([
            78,
            'flannel removed its client mode in 0.8.0, and the flanneld on this host does not support --remote',
          ]);
          expect(root.tree()).toEqual(before);
        }
      });
    },
  );
});
