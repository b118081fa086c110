// One message as a single long line, several times; each time from the message before it.
import { converse, median, report } from './subject.mjs';

const times = [];
for (let round = 0; round < Number(process.env.BENCH_REPEATS); round += 1) {
  let began;
  let length = 0;
  await converse({
    on({ type, message }) {
      if (type === 'system') began = performance.now();
      if (type !== 'assistant') return;
      times.push(performance.now() - began);
      length = message.content[0].text.length;
    },
  });
  if (length !== Number(process.env.BENCH_LENGTH)) throw new Error(`A text of ${length} characters came.`);
}
report({ ms: median(times) });
