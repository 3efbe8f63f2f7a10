// Replay a log of moves with boardgame.io: two seeded dice and a few sums a move, six players, five moves a turn.
// It answers each line on standard input with the seconds of processor time of one replay from the start.

const { CreateGameReducer, InitializeGame } = require('boardgame.io/internal');

const attempt = ({ G, random, playerID }, difficulty, effort) => {
  const [dawn, dusk] = [random.Die(12), random.Die(12)];
  const who = G.players[playerID];
  who.points -= effort;
  if (dawn > dusk) who.destiny += 1;
  if (dusk > dawn) G.doom += 2;
  G.log = { dawn, dusk, total: dawn + dusk, success: dawn + dusk >= 3 * difficulty - 3 * effort };
  if (!G.log.success) who.failed += 1;
};

const game = {
  name: 'bench',
  seed: 'bench',
  disableUndo: true,
  setup: ({ ctx }) => ({
    doom: 0,
    log: null,
    players: Object.fromEntries(
      ctx.playOrder.map((id) => [id, { points: 1000, destiny: 0, failed: 0 }]),
    ),
  }),
  turn: { maxMoves: 5 },
  moves: {
    attempt,
    tell: ({ G }, text) => { G.told = text; },
    rest: ({ G, playerID }) => { G.players[playerID].points = 1000; },
    spend: ({ G, playerID }) => { G.players[playerID].destiny -= 1; },
  },
};

const reducer = CreateGameReducer({ game });
const initial = InitializeGame({ game, numPlayers: 6 });

function move(state, index) {
  const kinds = [['attempt', [1 + (index % 8), index % 2]], ['attempt', [4, 0]], ['tell', ['rain']], ['attempt', [6, 1]],
    ['rest', []], ['attempt', [3, 0]], ['spend', []]];
  const [type, args] = kinds[index % kinds.length];
  return { type: 'MAKE_MOVE', payload: { type, args, playerID: state.ctx.currentPlayer } };
}

const count = Number(process.argv[2]);
const actions = [];
let state = initial;
for (let index = 0; index < count; index += 1) {
  const action = move(state, index);
  state = reducer(state, action);
  actions.push(JSON.stringify(action));
}
if (state._stateID !== count) throw new Error(`only ${state._stateID} of ${count} moves were made`);

function replay() {
  let now = initial;
  for (const action of actions) now = reducer(now, JSON.parse(action));
  if (JSON.stringify(now.G) !== JSON.stringify(state.G)) throw new Error('the replay differs');
}

console.log(count);
require('readline').createInterface({ input: process.stdin }).on('line', () => {
  const start = process.cpuUsage();
  replay();
  const used = process.cpuUsage(start);
  console.log((used.user + used.system) / 1e6);
});
