import { runSeeds } from './model/run-seeds.ts';

runSeeds({ kind: 'sqlite', histories: 16, historiesInLongRun: 2000, part: 2, parts: 4 });
