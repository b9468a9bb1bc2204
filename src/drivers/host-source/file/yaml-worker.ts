// Worker thread entry: parses one text and posts the result.

import { parentPort, workerData } from 'node:worker_threads';
import { parseYamlText } from './yaml-text.ts';

parentPort?.postMessage(parseYamlText(String(workerData)));
