import { playSeeds } from './model/play-seeds.ts';

playSeeds({ kind: 'sqlite', histories: 120, historiesInLongRun: 10_000, part: 1, parts: 4 });
