// A thread that parses one text, answers what came of it, and ends.

import { parentPort, workerData } from 'node:worker_threads';
import { parseYamlText } from './yaml-text.ts';

parentPort?.postMessage(parseYamlText(String(workerData)));
