import type { EntryHead, Transcript } from '@hexagent/ports';

/** All heads of a transcript, in the order stored. */
export async function headsOf(transcript: Transcript): Promise<readonly EntryHead[]> {
  const heads: EntryHead[] = [];
  // One by one: a call takes no more arguments than fit on the stack.
  for await (const some of transcript.heads()) for (const head of some) heads.push(head);
  return heads;
}
