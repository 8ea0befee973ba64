import SelectionCore
import Testing

@Suite("Contested selections")
struct OwnershipContestTests {
  @Test("What is ours is won, at the first attempt or later")
  func won() {
    var contest = OwnershipContest()
    #expect(contest.attempted(isOurs: true, wasTakenBack: false) == .won)
    contest = OwnershipContest()
    #expect(contest.attempted(isOurs: false, wasTakenBack: true) == .tryAgain)
    #expect(contest.attempted(isOurs: true, wasTakenBack: false) == .won)
  }

  @Test("A selection that is taken back twice is given up")
  func twoRounds() {
    var contest = OwnershipContest()
    #expect(contest.attempted(isOurs: false, wasTakenBack: true) == .tryAgain)
    #expect(contest.attempted(isOurs: false, wasTakenBack: true) == .givenUp)
  }

  @Test("An attempt that the server ignored is no taking, and is not repeated for ever")
  func ignoredAttempts() {
    var contest = OwnershipContest()
    #expect(contest.attempted(isOurs: false, wasTakenBack: false) == .tryAgain)
    #expect(contest.attempted(isOurs: false, wasTakenBack: true) == .tryAgain)
    #expect(contest.attempted(isOurs: false, wasTakenBack: true) == .givenUp)
    contest = OwnershipContest()
    #expect(contest.attempted(isOurs: false, wasTakenBack: false) == .tryAgain)
    #expect(contest.attempted(isOurs: false, wasTakenBack: false) == .tryAgain)
    #expect(contest.attempted(isOurs: false, wasTakenBack: false) == .givenUp)
  }
}
