import { runSeeds } from './model/run-seeds.ts';

runSeeds({ kind: 'sqlite', histories: 16, historiesInLongRun: 800, part: 0, parts: 4 });
