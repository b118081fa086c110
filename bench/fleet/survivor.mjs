// A worker in a process of its own, until its parent exits: survivor.mjs ADDRESS LIMITS, as JSON. Reports when it has joined.
import { connectTo } from './database.mjs';
import { simulatedFleet } from './simulated-fleet.mjs';

const [address, limits] = process.argv.slice(2).map((text) => JSON.parse(text));
await simulatedFleet(connectTo(address), { workers: 1, tenants: 100, ...limits, name: process.pid });
process.send('joined');
process.once('disconnect', () => process.exit());
