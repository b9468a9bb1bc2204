import { parentPort, workerData } from 'node:worker_threads';
import { parseYamlText } from './yaml-text.ts';

parentPort?.postMessage(parseYamlText(String(workerData)));
