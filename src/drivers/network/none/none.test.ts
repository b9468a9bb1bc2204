import { networkRecord } from '../../../../test/harness/network-record.ts';
import { onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInTinyRoot } from '../../../../test/harness/shells/tiny-root.ts';
import { optionsConform } from '../../options-conformance.ts';
import { networkConforms } from '../conformance.ts';
import { none } from './none.ts';

optionsConform(none, {
  good: [['no options', {}]],
  bad: [['an address', { address: '10.0.0.1:8888' }, ['/address']]],
});

describeInTinyRoot('none on a host', () =>
  networkConforms('none', { open: () => none.open(networkRecord({})), onHost: onFlannelHost() }),
);
