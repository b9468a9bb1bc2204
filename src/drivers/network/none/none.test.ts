import { optionsConform } from '../../options-conformance.ts';
import { none } from './none.ts';

optionsConform(none, {
  good: [['no options', {}]],
  bad: [['an address', { address: '10.0.0.1:8888' }, ['/address']]],
});
