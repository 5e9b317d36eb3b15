"""What tests of games are made with; needs the packages of ``rulelang[test]``."""
