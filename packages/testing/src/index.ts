export { microtasks } from './doubles/microtasks.ts';
export { agentFrames } from './doubles/agent-frames.ts';
export type { AgentFrames } from './doubles/agent-frames.ts';
export { linkedTransport } from './doubles/linked-transport.ts';
export type { AgentFunction, LinkedTransport } from './doubles/linked-transport.ts';
export type { LinkedAgent } from './doubles/linked-agent.ts';
export { plainLaunch } from './doubles/wire.ts';
export type { AgentSide, ExitFields, ReceivedFrame, Wanted } from './doubles/wire.ts';
export { gate } from './loopback/stream-effects.ts';
export type { Gate } from './loopback/stream-effects.ts';
export { scriptedAgent } from './doubles/scripted/scripted-agent.ts';
export { reply } from './doubles/scripted/reply.ts';
export type {
  AgentRequest,
  AgentScript,
  ApiErrorStep,
  AskStep,
  BackgroundOptions,
  BackgroundStep,
  Control,
  EndStep,
  ExitStep,
  FramesStep,
  HoldStep,
  TextPieces,
  Step,
  TextStep,
  ToolOptions,
  ToolStep,
  Turns,
  TurnScript,
} from './doubles/scripted/script.ts';
export { CountedIds } from './doubles/counted-ids.ts';
export { fencedTranscripts } from './doubles/fenced-transcripts.ts';
export { HandClock } from './doubles/hand-clock.ts';
export { seededRandom } from './doubles/seeded-random.ts';
export { HandChats } from './doubles/chats/hand-chats.ts';
export type { HandChatsOptions, HandMessage } from './doubles/chats/hand-chats.ts';
export type { AskedByHand, HandRequest } from './doubles/chats/hand-approvals.ts';
export { HandTurn } from './doubles/chats/hand-turn.ts';
export { answering } from './doubles/answering.ts';
export { allowAll, denyAll, ScriptedGate } from './doubles/permission-gates.ts';
export { plainCommands } from './doubles/plain-commands.ts';
export { RecordingObserver } from './doubles/recording-observer.ts';
export { leakCheck } from './leak-check.ts';
export type { LeakCheck, LeakCheckOptions } from './leak-check.ts';
