import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CDPSession, Page } from 'playwright';
import { launchChromium, longNote, startApp } from './app-in-chromium';
import { median, percentile, report } from './measure';

const rounds = 5;
const tokens = 8_000;
const rate = 1_000;
const keys = 60;
/** Milliseconds between two keys: about 110 words a minute. */
const keyPause = 110;

/** A provider in a thread of its own that speaks at the wanted rate. */
const provider = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const words = ['Beans ', 'like ', '**cool** ', 'weather ', 'and ', 'light ', 'soil, ', 'see ', '[[Garden]]. ', 'Then\\n\\n- a ', 'list ', 'item '];
const chunk = (delta, finish_reason = null) => 'data: ' + JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] }) + '\\n\\n';
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const from = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(${tokens}, Math.floor((performance.now() - from) * ${rate / 1000}));
    for (; sent < due; sent++) response.write(chunk({ content: words[sent % words.length] }));
    if (sent < ${tokens}) return;
    clearInterval(timer);
    response.end(chunk({}, 'stop') + 'data: [DONE]\\n\\n');
  }, 1);
  response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const worker = new Worker(provider, { eval: true });
const port = await new Promise<number>((resolve) => worker.once('message', resolve));

const long = `${longNote(2 * 1024 * 1024)}#User : What now?\n`;
const short = `${longNote(10 * 1024)}#User : What now?\n`;
const notes: Record<string, string> = { 'Warm.md': short, 'Idle.md': short };
for (let round = 1; round <= rounds; round++) notes[`Long ${round}.md`] = long;
const config = {
  id: 'bench',
  vendor: 'openai-compatible',
  tag: 'Bench',
  model: 'm',
  format: 'openai-chat',
  baseUrl: `http://127.0.0.1:${port}/v1`,
};
const app = await startApp({ notes, settings: { providers: [config], defaultProvider: 'bench' } });
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(app.address);
await page.getByRole('treeitem').first().waitFor();
const cdp = await page.context().newCDPSession(page);
await cdp.send('Performance.enable');

await open(page, 'Warm');
await typed(page);
const opening: { toText: number; longest: number }[] = [];
const idle: number[][] = [];
const streaming: Streamed[] = [];
for (let round = 1; round <= rounds; round++) {
  await open(page, 'Idle');
  await toQuestion(page);
  idle.push(await typed(page));
  opening.push(await open(page, `Long ${round}`));
  streaming.push(await streamed(page, cdp, `Long ${round}`));
}
await browser.close();
await app.close();
await worker.terminate();

const of = (pick: (run: Streamed) => number) => median(streaming.map(pick));
const ms = (value: number) => `${value.toFixed(1)} ms`;
const late = of(({ frames }) => frames.filter((time) => time > 25).length);
const frames = of((run) => run.frames.length);
const busy = of((run) => run.busy);
const idle95 = median(idle.map((times) => percentile(times, 0.95)));
const typing95 = of((run) => percentile(run.keys, 0.95));
const toText = median(opening.map((one) => one.toText));
const longest = median(opening.map((one) => one.longest));
const equal = streaming.every((run) => run.equal);

report({
  title: 'A note of 2 MB in Chromium',
  figures: [
    {
      what: 'opening it: a click until its text is painted',
      ours: ms(toText),
      peer: '–',
      ratio: '–',
      goal: '≤ 100 ms',
      met: toText <= 100,
    },
    {
      what: 'longest task of the main thread in the 3 s after',
      ours: longest === 0 ? 'none over 50 ms' : ms(longest),
      peer: '–',
      ratio: '–',
      goal: '≤ 50 ms',
      met: longest <= 50,
    },
    {
      what: `${rate.toLocaleString('en')} tokens/s into it while a person types: late frames (> 25 ms)`,
      ours: `${Math.round(late)} of ${Math.round(frames)}`,
      peer: '–',
      ratio: `${((late / frames) * 100).toFixed(1)} %`,
      goal: '0',
      met: late === 0,
    },
    {
      what: 'frame p95 / p99',
      ours: `${ms(of((run) => percentile(run.frames, 0.95)))} / ${ms(of((run) => percentile(run.frames, 0.99)))}`,
      peer: '16.7 ms',
      ratio: '–',
      goal: '–',
    },
    {
      what: 'main thread busy',
      ours: `${Math.round(busy * 100)} %`,
      peer: '–',
      ratio: '–',
      goal: '≤ 36 %',
      met: busy <= 0.36,
    },
    {
      what: 'from a key to its paint, p95, against an idle note of 10 KB',
      ours: ms(typing95),
      peer: ms(idle95),
      ratio: `${(typing95 / idle95).toFixed(2)}×`,
      goal: '≤ 1.15×',
      met: typing95 / idle95 <= 1.15,
    },
    {
      what: 'page and disk equal at the end',
      ours: equal ? 'in every round' : 'no',
      peer: '–',
      ratio: '–',
      goal: 'always',
      met: equal,
    },
  ],
  notes: [
    `Median of ${rounds} rounds, each with a fresh note; idle typing and streaming in turns. ${tokens.toLocaleString('en')} tokens over HTTP from another thread, through the core and the bridge into the page; ${keys} keys, one each ${keyPause} ms, in the line of the question just above the answer.`,
    'Frames by requestAnimationFrame; busy by the browser’s own task times (DevTools); a key from its event to the first task after the next frame. Headless Chromium without a graphics processor on the same two cores as core and provider.',
  ],
});

interface Streamed {
  readonly frames: number[];
  readonly keys: number[];
  readonly busy: number;
  readonly equal: boolean;
}

/** Milliseconds from the click to painted text, and the longest task (0: none over 50 ms) of the 3 s that follow. */
async function open(page: Page, name: string): Promise<{ toText: number; longest: number }> {
  const item = await page.getByRole('treeitem', { name, exact: true }).elementHandle();
  return page.evaluate(
    async ([element, label]) => {
      const line = `.cm-content[aria-label="${label}.md"] .cm-line`;
      const tasks: number[] = [];
      let shown = 0;
      const observer = new PerformanceObserver((list) => {
        for (const task of list.getEntries())
          if (shown > 0 && task.startTime > shown) tasks.push(task.duration);
      });
      observer.observe({ entryTypes: ['longtask'] });
      const from = performance.now();
      (element as HTMLElement).click();
      while (!document.querySelector(line)?.textContent) await new Promise(requestAnimationFrame);
      await new Promise((painted) => setTimeout(painted));
      shown = performance.now();
      await new Promise((rested) => setTimeout(rested, 3000));
      observer.disconnect();
      return { toText: shown - from, longest: Math.max(0, ...tasks) };
    },
    [item, name] as const,
  );
}

/** Puts the cursor at the end of the last question. */
async function toQuestion(page: Page): Promise<void> {
  await page.locator('.cm-content:visible').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
}

/** Types and answers how long each key took to be painted. */
async function typed(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    const listener = (event: KeyboardEvent) => {
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - event.timeStamp)));
    };
    addEventListener('keydown', listener, { capture: true });
    Object.assign(globalThis, {
      benchKeys: () => {
        removeEventListener('keydown', listener, { capture: true });
        return times;
      },
    });
  });
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a');
    await page.waitForTimeout(keyPause);
  }
  return page.evaluate(() => (globalThis as unknown as { benchKeys(): number[] }).benchKeys());
}

async function streamed(page: Page, cdp: CDPSession, name: string): Promise<Streamed> {
  await toQuestion(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.waitForFunction(() =>
    document.querySelector('.cm-content')?.textContent?.includes('Beans like'),
  );
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    let going = true;
    const frame = (now: number) => {
      frames.push(now - last);
      last = now;
      if (going) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(globalThis, {
      benchFrames: () => {
        going = false;
        return frames.slice(1);
      },
    });
  });
  const before = await taskTime(cdp);
  const keyTimes = await typed(page);
  const after = await taskTime(cdp);
  const frames = await page.evaluate(() =>
    (globalThis as unknown as { benchFrames(): number[] }).benchFrames(),
  );
  await page.getByRole('button', { name: /^Answer/ }).waitFor({ timeout: 60_000 });
  return {
    frames,
    keys: keyTimes,
    busy: (after.busy - before.busy) / (after.at - before.at),
    equal: await isEqual(page, name),
  };
}

async function taskTime(cdp: CDPSession): Promise<{ busy: number; at: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { busy: value('TaskDuration'), at: value('Timestamp') };
}

/** Whether the editor holds what the note holds, once it is saved. */
async function isEqual(page: Page, name: string): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const shown = await page.evaluate(() => {
      const content = document.querySelector('.cm-content') as unknown as {
        cmTile: { view: { state: { doc: { toString(): string } } } };
      };
      return content.cmTile.view.state.doc.toString();
    });
    if (shown === readFileSync(join(app.vault, `${name}.md`), 'utf8')) return shown.includes('aaaaa');
    await page.waitForTimeout(200);
  }
  return false;
}
