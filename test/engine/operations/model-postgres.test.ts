import { describePostgres } from '../../harness/stores/stores.ts';
import { playSeeds } from './model/play-seeds.ts';

describePostgres('on PostgreSQL', () => {
  playSeeds({ kind: 'postgres', histories: 5, historiesInLongRun: 300, part: 0, parts: 1 });
});
